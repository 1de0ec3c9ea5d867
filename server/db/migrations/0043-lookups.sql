-- What is looked up across organizations: the invitations of a person whose account is deleted, and who else sends by the same credentials.
create index invite_address on invite (email);
create index invite_accepted_by on invite (accepted_by) where accepted_by is not null;
create index lane_shared on lane (platform, credentials, wake_at);
