-- On platforms that keep one entry of an account per creation time, each delivery that creates something gets a time of
-- its own when it is first claimed to be sent, and keeps it in every try.
alter table delivery add column dated_at timestamptz;

-- The last such time of each account, whatever organizations it is connected to. A row is only needed until its time has passed.
create table account_clock (
  -- platform:account
  account text primary key,
  last_at timestamptz not null
);
select global_table('account_clock');
