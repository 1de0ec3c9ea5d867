-- Which limits a copy was made for: a copy of a file is made once per limits, and found by them.
alter table asset add column fitted_for text;
create unique index asset_fitted on asset (org_id, derived_from, fitted_for) where fitted_for is not null;
