-- An attempt of somebody who is signed in connects the service with their account and signs nobody in.
alter table sign_on_states add column user_id uuid references users on delete cascade;
create index sign_on_states_user on sign_on_states (user_id);
