/*
 * An entry of a post's timeline keeps its details as a code with parameters (contract/timeline.ts), not as a sentence. What was
 * written by rule gets its code; a reason that is part of a longer text keeps its words as the code 'text'. Made before the first
 * release: no node of an earlier version runs beside it.
 */
alter table post_event add column detail jsonb;
update post_event e set detail = coalesce(
    fixed.detail,
    case
      when e.kind = 'sent_for_approval' then jsonb_build_object('code', 'workflow', 'name', e.note)
      when e.kind in ('approved', 'rejected') then jsonb_build_object('code', 'decision',
        'from', case when e.person_id is null then substring(e.note from '^By (.*?), from outside\.') end,
        'comment', case when e.person_id is null then ltrim(regexp_replace(e.note, '^By .*?, from outside\.', '')) else e.note end)
      when e.note ~ '^The campaign .* was disabled\.$' then
        jsonb_build_object('code', 'campaign', 'name', substring(e.note from '^The campaign (.*) was disabled\.$'), 'did', 'paused')
      when e.note ~ '^The campaign .* no longer keeps it\.$' then
        jsonb_build_object('code', 'campaign', 'name', substring(e.note from '^The campaign (.*) no longer keeps it\.$'), 'did', 'released')
      else jsonb_build_object('code', 'text', 'text', e.note)
    end)
  from post_event o left join (values
    ('It joins the queue once it is approved.', '{"code": "once-approved", "next": "queued"}'::jsonb),
    ('It goes out as soon as it is approved.', '{"code": "once-approved", "next": "published"}'),
    ('The deletion was undone.', '{"code": "deletion-undone"}'),
    ('Changed on the platform too.', '{"code": "on-platform", "did": "edited"}'),
    ('Deleted on the platform too.', '{"code": "on-platform", "did": "deleted"}'),
    ('Written by AI after the recent posts of the channel.', '{"code": "ai-written"}'),
    ('This database came back from a backup or is a copy of another one.', '{"code": "restored"}'),
    ('First comment', '{"code": "follow-up-sent", "followUp": {"kind": "comment", "item": null}}'),
    ('Playlist entry', '{"code": "follow-up-sent", "followUp": {"kind": "playlist", "item": null}}'),
    ('A person found the post on the platform.', '{"code": "resolved", "outcome": "published", "followUps": false}'),
    ('A person saw that the post was not there and sent it again.', '{"code": "resolved", "outcome": "send_again", "followUps": false}'),
    ('A person gave the post up.', '{"code": "resolved", "outcome": "failed", "followUps": false}'),
    ('A person found what was to follow the post on the platform.', '{"code": "resolved", "outcome": "published", "followUps": true}'),
    ('A person saw that what was to follow the post was not there and sent it again.', '{"code": "resolved", "outcome": "send_again", "followUps": true}'),
    ('A person gave up what was to follow the post.', '{"code": "resolved", "outcome": "failed", "followUps": true}')
  ) as fixed(note, detail) on fixed.note = o.note
  where o.note is not null and e.org_id = o.org_id and e.post_id = o.post_id and e.id = o.id;
alter table post_event drop column note;
