-- Since when a company requires a second step. Sign-ins that are older end after a grace period.
alter table companies add column second_factor_since timestamptz;
update companies set second_factor_since = now() where requires_second_factor;
