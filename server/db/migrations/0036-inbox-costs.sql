-- What reading platforms that charge for it costs an organization. Without a row, or without a limit, nothing is read.
create table inbox_cost (
  org_id uuid not null references organization on delete cascade,
  platform text not null,
  -- millionths of a US dollar, as everything here
  monthly_limit bigint check (monthly_limit > 0),
  -- the month in which `spent` was spent, in UTC, which is how platforms bill
  month date not null,
  -- with what is set aside for calls on their way
  spent bigint not null default 0 check (spent >= 0),
  primary key (org_id, platform)
);
select tenant_table('inbox_cost');
