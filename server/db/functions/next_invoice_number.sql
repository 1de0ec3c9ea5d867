-- Draws the next invoice number. A rollback gives it back, so numbers have no gaps.
create or replace function next_invoice_number() returns bigint language sql security definer set search_path = public, pg_temp as $$
  update invoice_counter set last = last + 1 returning last
$$;
revoke all on function next_invoice_number from public;
grant execute on function next_invoice_number to rookery_app, rookery_system;
