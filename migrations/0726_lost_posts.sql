-- Posts that did not arrive, or perhaps not, for administrators and for the person who asked.
create index channel_posts_lost on channel_posts (channel_id, created_at) where state in ('failed', 'unknown');

-- The person finds the answer in the chat.
create function notify_of_post() returns trigger language plpgsql as $$
begin
  perform notify_person(s.user_id, 'reply_failed', 'post ' || new.id, jsonb_build_object('session_id', s.id))
  from channel_threads t join sessions s on s.id = t.session_id
  where t.id = new.thread_id and s.visitor_id is null and s.deleted_at is null;
  return null;
end $$;
create constraint trigger notified_of_post after update of state on channel_posts
deferrable initially deferred for each row
when (old.state is distinct from new.state and new.kind = 'answer' and new.state in ('failed', 'unknown'))
execute function notify_of_post();
