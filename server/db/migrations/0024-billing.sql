-- What is paid, beside the plan that it pays for. The plan's row is the lock: whoever changes either takes it first.
create table subscription (
  org_id uuid primary key references organization on delete cascade,
  -- as the provider names it
  id text not null unique,
  provider text not null check (provider in ('local', 'paddle')),
  -- raised by every change: a preview holds for the version that it saw
  version int not null default 1,
  billing_interval text check (billing_interval in ('monthly', 'annual')),
  -- periods are counted from here
  anchor timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  canceled_at timestamptz,
  -- minor units, for later invoices
  credit bigint not null default 0 check (credit >= 0),
  -- the invoice that could not be paid and its tries; contract/subscription.ts
  overdue jsonb,
  overdue_transaction text,
  -- when time asks for something next; null while nothing is to come
  due_at timestamptz,
  -- brand, last four digits, end, holder
  payment_method jsonb,
  customer_id text,
  -- of the last event of the provider that was applied
  event_at timestamptz,
  changed_at timestamptz not null
);
create index subscription_due on subscription (due_at) where due_at is not null;
select tenant_table('subscription', 'select, insert, update');

-- Checkouts, renewals and changes with what they cost. Invoices never change: only a pending or failed one is written to.
create table billing_transaction (
  org_id uuid not null references organization on delete cascade,
  id text not null,
  provider text not null check (provider in ('local', 'paddle')),
  kind text not null check (kind in ('checkout', 'change', 'renewal', 'method')),
  status text not null check (status in ('pending', 'paid', 'failed', 'refunded')),
  invoice_number text,
  -- a checkout's plan, interval and add-ons
  wanted jsonb,
  items jsonb not null,
  currency_code text not null,
  tax_rate double precision not null,
  subtotal bigint not null,
  tax bigint not null,
  -- negative where credit was added for later
  credit bigint not null,
  grand_total bigint not null check (grand_total >= 0),
  payment_method jsonb,
  -- who began it; null for what time asked for
  person_id uuid references person,
  created_at timestamptz not null,
  occurred_at timestamptz not null,
  event_at timestamptz,
  primary key (org_id, id),
  check (grand_total = subtotal + tax - credit)
);
create unique index billing_transaction_id on billing_transaction (id);
create unique index billing_transaction_invoice on billing_transaction (provider, invoice_number) where invoice_number is not null;
create index billing_transaction_list on billing_transaction (org_id, occurred_at desc, id desc);
select tenant_table('billing_transaction', 'select, insert, update');

-- What a person was shown last and may agree to.
create table pending_change (
  org_id uuid not null references organization on delete cascade,
  person_id uuid not null references person on delete cascade,
  kind text not null check (kind in ('addons', 'annual', 'team')),
  subscription_id text not null,
  version int not null,
  wanted jsonb not null,
  invoice jsonb not null,
  made_at timestamptz not null,
  primary key (org_id, person_id, kind)
);
select tenant_table('pending_change');

-- Numbers of invoices without gaps: drawn in the transaction of the payment, so that one that is undone gives its number back.
create table invoice_counter (
  is_only boolean primary key default true check (is_only),
  last bigint not null default 0
);
insert into invoice_counter default values;
select global_table('invoice_counter');
create function next_invoice_number() returns bigint language sql security definer set search_path = public, pg_temp as $$
  update invoice_counter set last = last + 1 returning last
$$;
revoke all on function next_invoice_number from public;
grant execute on function next_invoice_number to rookery_app, rookery_system;

-- What the provider told, kept before anything is done with it.
create table provider_event (
  id text primary key,
  provider text not null check (provider in ('paddle')),
  type text not null,
  occurred_at timestamptz not null,
  received_at timestamptz not null,
  payload jsonb not null,
  org_id uuid references organization on delete set null,
  -- null: not applied yet
  outcome text check (outcome in ('applied', 'skipped', 'unknown')),
  settled_at timestamptz
);
create index provider_event_open on provider_event (received_at) where outcome is null;
select global_table('provider_event');

-- What goes beyond a plan that shrank is locked, never deleted: channels rest, members read, projects keep their channels at rest.
alter table channel add column plan_locked boolean not null default false;
-- whether it was enabled before
alter table channel add column locked_enabled boolean not null default false;
alter table project add column plan_locked boolean not null default false;
alter table member add column plan_locked boolean not null default false;
alter table member add column locked_admin boolean not null default false;
alter table project_member add column locked_role_id uuid;

-- A locked member stays a reader: a role that is given meanwhile waits beside.
create function keep_reader() returns trigger language plpgsql as $$
begin
  if new.role_id is not null and exists (select from member m where m.org_id = new.org_id and m.person_id = new.person_id and m.plan_locked) then
    new.locked_role_id := new.role_id;
    new.role_id := null;
  end if;
  return new;
end $$;
create trigger keep_reader before insert or update of role_id on project_member for each row execute function keep_reader();
create function keep_reader_member() returns trigger language plpgsql as $$
begin
  if new.plan_locked and new.is_admin then
    new.locked_admin := true;
    new.is_admin := false;
  end if;
  return new;
end $$;
create trigger keep_reader_member before update of is_admin, plan_locked on member for each row execute function keep_reader_member();

-- Whoever enables a channel takes it out of its lock.
create function leave_lock() returns trigger language plpgsql as $$
begin
  new.plan_locked := false;
  new.locked_enabled := false;
  return new;
end $$;
create trigger leave_lock before update of enabled on channel for each row when (new.enabled and old.plan_locked) execute function leave_lock();
