/*
 * Why a file can't be used and why a channel got no AI drafts is kept as a code with parameters (contract/mediaProblems.ts,
 * contract/aiRunProblem.ts), not as a sentence. Of a file, the words from before stay as the code 'text'; what a
 * platform said, as the code 'other' of contract/failures. Made before the first release: no node of an earlier version runs beside it.
 */
alter table asset alter column problem type jsonb using case
  when problem is not null then jsonb_build_object('code', 'text', 'text', problem) end;

alter table ai_run alter column problem type jsonb using case
  when state <> 'failed' then null
  when why is not null then jsonb_build_object('code', 'ai', 'why', why)
  when code = 'NO_POSTS_FOUND' then '{"code": "no-posts"}'
  when code = 'AI_NOT_SET_UP' then '{"code": "not-set-up"}'
  when code = 'PLAN_LIMIT' and problem = 'AI Credit Limit Reached' then '{"code": "out-of-credits"}'
  when code = 'PLAN_LIMIT' then '{"code": "plan-ended"}'
  when code = 'NOT_FOUND' then '{"code": "disconnected"}'
  when problem is null or problem = 'We couldn''t generate the text.' then '{"code": "broken"}'
  else jsonb_build_object('code', 'platform', 'reason',
    jsonb_build_object('code', 'other', 'params', jsonb_build_object('sentence', problem, 'advice', ''))) end;
alter table ai_run drop column code, drop column why;
