-- Finds what a person who deletes their account gets.
create index report_recipient_member on report_recipient (person_id) where person_id is not null;
