-- A link that lets an administrator in without proving the address: printed on the machine, or mailed by another administrator.
alter table one_time_tokens drop constraint one_time_tokens_purpose_check;
alter table one_time_tokens add constraint one_time_tokens_purpose_check
  check (purpose in ('verify_email', 'reset_password', 'sign_on', 'change_email', 'let_in'));
