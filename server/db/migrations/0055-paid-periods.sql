-- Credit is reckoned from what was really paid: amounts, tax and currency are kept with the paid period, and credit
-- balances by currency. A smaller plan can be planned for the next period.
alter table subscription
  add column credits jsonb not null default '{}',
  -- what was paid for the running period; contract/invoicing.ts
  add column paid_items jsonb not null default '[]',
  add column planned jsonb,
  -- what the provider charges next, before tax, where it keeps the amounts itself
  add column renews jsonb;

-- A credit belongs to the currency of the newest document that added some.
update subscription s set credits = jsonb_build_object(
  coalesce(
    (select t.currency_code from billing_transaction t where t.org_id = s.org_id and t.provider = 'local' and t.credit < 0 order by t.occurred_at desc, t.id desc limit 1),
    (select t.currency_code from billing_transaction t where t.org_id = s.org_id and t.provider = 'local' order by t.occurred_at desc, t.id desc limit 1),
    'USD'),
  s.credit)
where s.credit > 0;
alter table subscription drop column credit;

-- The running period of a test plan, from the payment that began it and the last one that changed its add-ons.
with began as (
  select distinct on (t.org_id) t.org_id, t.id, t.occurred_at, t.items, t.tax_rate, t.currency_code, t.invoice_number
  from billing_transaction t join subscription s on s.org_id = t.org_id and s.provider = 'local' and s.period_end is not null
  where t.provider = 'local' and t.status = 'paid' and exists (
    select from jsonb_array_elements(t.items) i where i->>'name' ~ '^(Individual|Team), (monthly|annual)$')
  order by t.org_id, t.occurred_at desc, t.id desc
), part as (
  select b.org_id, 0 as place, 'plan' as kind, (i->>'quantity')::int as quantity, (i->>'subtotal')::bigint as net, b.tax_rate, b.currency_code, b.invoice_number, s.period_start as since, s.period_end as until
  from began b join subscription s on s.org_id = b.org_id, jsonb_array_elements(b.items) i
  where i->>'name' ~ '^(Individual|Team), (monthly|annual)$'
  union all
  select p.org_id, 1, 'addons', p.addon_quantity, a.net, a.tax_rate, a.currency_code, a.invoice_number, case when a.id = b.id then s.period_start else a.occurred_at end, s.period_end
  from began b join subscription s on s.org_id = b.org_id join plan p on p.org_id = b.org_id and p.addon_quantity > 0
  join lateral (
    select t.*, (i->>'subtotal')::bigint as net from billing_transaction t, jsonb_array_elements(t.items) i
    where t.org_id = b.org_id and t.provider = 'local' and t.status = 'paid' and (t.occurred_at, t.id) >= (b.occurred_at, b.id)
      and i->>'name' like 'Channel Addons%' and (i->>'quantity')::int = p.addon_quantity
    order by t.occurred_at desc, t.id desc limit 1
  ) a on true
), kept as (
  select part.org_id, jsonb_agg(jsonb_build_object(
      'kind', kind, 'quantity', quantity, 'net', net, 'tax', round((net * tax_rate)::numeric), 'taxRate', tax_rate, 'currencyCode', currency_code,
      'from', to_char(since at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'until', to_char(until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'invoiceNumber', invoice_number
    ) order by place) as items
  from part join plan p on p.org_id = part.org_id and p.plan_id <> 'free' and p.status in ('ACTIVE', 'CANCEL_SCHEDULED')
  where net > 0 and since < until group by part.org_id
)
update subscription s set paid_items = kept.items from kept where kept.org_id = s.org_id;

-- An overdue renewal is for the period that runs.
update subscription s set overdue = jsonb_set(s.overdue, '{invoice}', s.overdue->'invoice' || jsonb_build_object(
  'currencyCode', coalesce(t.currency_code, 'USD'), 'taxRate', coalesce(t.tax_rate, 0), 'refersTo', '[]'::jsonb,
  'period', case when s.provider = 'local' and s.period_start is not null and s.period_end is not null then jsonb_build_object(
    'from', to_char(s.period_start at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'to', to_char(s.period_end at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) end,
  'lines', coalesce((
    select jsonb_agg(line || jsonb_build_object(
      'kind', case when s.provider <> 'local' then 'other' when line->>'name' like 'Channel Addons%' then 'addons' else 'plan' end,
      'tax', round((upto * coalesce(t.tax_rate, 0))::numeric) - round(((upto - (line->>'subtotal')::bigint) * coalesce(t.tax_rate, 0))::numeric)) order by place)
    from (
      select line, place, sum((line->>'subtotal')::bigint) over (order by place) as upto
      from jsonb_array_elements(s.overdue->'invoice'->'lines') with ordinality as l (line, place)
    ) lines), '[]'::jsonb)))
from subscription o left join billing_transaction t on t.org_id = o.org_id and t.id = o.overdue_transaction
where o.org_id = s.org_id and s.overdue is not null;

-- A preview holds for 30 minutes: it is asked for again.
delete from pending_change;
alter table pending_change rename column invoice to bill;

-- What an invoice is for, and what was printed on it when it was issued: later changes of names leave it as it is.
alter table billing_transaction
  add column service_from timestamptz,
  add column service_to timestamptz,
  -- a credit note: the numbers of the invoices that it corrects
  add column refers_to text[] not null default '{}',
  add column seller jsonb,
  add column buyer jsonb;
alter table billing_transaction drop constraint billing_transaction_kind_check;
alter table billing_transaction add constraint billing_transaction_kind_check check (kind in ('checkout', 'change', 'renewal', 'method', 'credit_note'));

-- Issued before buyers were kept: as they are known now.
update billing_transaction t set buyer = jsonb_build_object('name', o.name, 'email', p.email, 'address', null)
from organization o, billing_transaction own left join person p on p.id = own.person_id
where own.org_id = t.org_id and own.id = t.id and o.org_id = t.org_id and t.provider = 'local' and t.invoice_number is not null;

-- To whom invoices are made out, where that is not the organization's name and whoever pays: name, email, address, tax id.
alter table organization add column billing_details jsonb;
