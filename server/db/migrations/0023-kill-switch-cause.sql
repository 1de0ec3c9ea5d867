/*
 * Why publishing is paused: `cause` is a code, and `reason` is what an operator typed, for cause 'operator' alone. Made before the
 * first release: no node of an earlier version runs beside it.
 */
alter table kill_switch
  add column cause text not null default 'operator' check (cause in ('operator', 'restore', 'deletion')),
  alter column reason drop not null;
update kill_switch set cause = 'deletion', reason = null where reason = 'The organization is being deleted.';
update kill_switch set cause = 'restore', reason = null where reason = 'This database came back from a backup or is a copy of another one.';
alter table kill_switch add check ((cause = 'operator') = (reason is not null));

-- their arguments change: the new ones are applied with the other functions
drop function if exists stop_organization(text, timestamptz);
drop function if exists release_organization(text);
