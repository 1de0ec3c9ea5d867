/*
 * Rows keep why something did not work as a code with parameters (contract/failures), not as a sentence. What was written before
 * keeps its words as parameters of the code 'other'. Made before the first release: no node of an earlier version runs beside it.
 */
create function reason_of(words text) returns jsonb language sql immutable as $$
  select jsonb_build_object('code', 'other', 'params', jsonb_build_object('sentence', words, 'advice', ''))
$$;
update post set failure = jsonb_strip_nulls(jsonb_build_object('class', failure -> 'class', 'action', failure -> 'action', 'code', 'other',
    'params', jsonb_build_object('sentence', failure -> 'reason', 'advice', failure -> 'advice'), 'platformCode', failure -> 'platformCode'))
  where failure is not null;
alter table post alter column warning type jsonb using case when warning is not null then jsonb_build_array(reason_of(warning)) end;
alter table post_part alter column reason type jsonb using case when reason is not null then reason_of(reason) end;
alter table channel alter column problem type jsonb using case when problem is not null then reason_of(problem) end;
update boost set problem = jsonb_build_object('code', 'other', 'params', jsonb_build_object('sentence', problem -> 'text', 'advice', problem -> 'advice'))
  where problem is not null;
drop function reason_of;

-- its result changes: the new one is applied with the other functions
drop function if exists claim_posts(timestamptz, uuid, int, int, jsonb, interval);
