-- Chats in which nothing was said yet: a new chat looks for one.
create index sessions_untouched on sessions (user_id, updated_at desc) where active_leaf is null and status = 'NEW';
