-- The invitation that an account was created from, until its address is confirmed: the right code then accepts it.
alter table person add column signup_invite_id uuid;
