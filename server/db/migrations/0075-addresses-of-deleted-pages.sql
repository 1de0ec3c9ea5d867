-- A project that's deleted takes its pages before their addresses: for that moment, these have neither a page nor an end.
alter table bio_slug drop constraint bio_slug_check;
