"""From compiled rules to a machine that runs them: every term and instruction bound to the boxes it works on."""
