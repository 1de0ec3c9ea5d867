-- What the platform of one account takes otherwise than its rules say (contract/platforms/limits.ts): how long a text of a
-- verified account may be, what a federated server is set to. Said by the platform at connecting and at each daily look.
alter table channel add column limits jsonb;
