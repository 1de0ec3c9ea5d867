-- What is paid. Amounts are in minor units.

create table subscription (
  org_id uuid primary key references organization on delete cascade,
  -- as the payment provider names it
  id text not null unique,
  provider text not null check (provider in ('local', 'paddle')),
  customer_id text,
  -- raised by every change: a preview is valid for the version that it was computed from
  version int not null default 1,
  billing_interval text check (billing_interval in ('monthly', 'annual')),
  -- periods are counted from here
  anchor timestamptz,
  period_start timestamptz,
  period_end timestamptz,
  canceled_at timestamptz,
  -- we canceled it because the organization is being deleted: it resumes when the deletion is canceled
  ends_with_org boolean not null default false,
  -- balance by currency, for later invoices
  credits jsonb not null default '{}',
  -- what was paid for the current period; contract/invoicing.ts
  paid_items jsonb not null default '[]',
  -- a smaller plan for the next period
  planned jsonb,
  -- what the provider charges next, before tax, where the provider keeps the amounts
  renews jsonb,
  -- the unpaid invoice and its attempts; contract/subscription.ts
  overdue jsonb,
  overdue_transaction text,
  -- when something has to be done next; null: nothing
  due_at timestamptz,
  -- brand, last four digits, expiry, holder
  payment_method jsonb,
  -- of the provider's last applied event
  event_at timestamptz,
  changed_at timestamptz not null
);
create index subscription_due on subscription (due_at) where due_at is not null;
select tenant_table('subscription', 'select, insert, update');

-- Checkouts, renewals and changes with their cost. Issued invoices never change: only pending and failed rows do.
create table billing_transaction (
  org_id uuid not null references organization on delete cascade,
  id text not null,
  provider text not null check (provider in ('local', 'paddle')),
  kind text not null check (kind in ('checkout', 'change', 'renewal', 'method', 'credit_note')),
  status text not null check (status in ('pending', 'paid', 'failed', 'refunded')),
  -- paid for a second subscription next to an existing one: that one was ended at once, and the money must be refunded
  surplus boolean not null default false,
  -- plan, interval and add-ons of a checkout
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
  invoice_number text,
  service_from timestamptz,
  service_to timestamptz,
  -- of a credit note: the numbers of the invoices that it corrects
  refers_to text[] not null default '{}',
  -- as printed on the invoice when it was issued
  seller jsonb,
  buyer jsonb,
  -- null: it was started by a schedule
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
create index billing_transaction_surplus on billing_transaction (org_id) where surplus;
select tenant_table('billing_transaction', 'select, insert, update');

-- The last preview that a person was shown and may confirm.
create table pending_change (
  org_id uuid not null references organization on delete cascade,
  person_id uuid not null references person on delete cascade,
  kind text not null check (kind in ('addons', 'annual', 'team')),
  subscription_id text not null,
  version int not null,
  wanted jsonb not null,
  bill jsonb not null,
  made_at timestamptz not null,
  primary key (org_id, person_id, kind)
);
select tenant_table('pending_change');

-- Invoice numbers without gaps: drawn in the payment's transaction, so that a rollback gives its number back.
create table invoice_counter (
  is_only boolean primary key default true check (is_only),
  last bigint not null default 0
);
insert into invoice_counter default values;
select global_table('invoice_counter');

-- Events of the payment provider, stored before they are applied.
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
create index provider_event_org on provider_event (org_id) where org_id is not null;
select global_table('provider_event');
