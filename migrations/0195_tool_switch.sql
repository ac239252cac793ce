-- Whether a tool is offered and may be called at all; whoever has it decides. What a server offers anew starts off.
alter table own_tools add column is_on boolean not null default true;

-- What came after its server was connected was kept from running by its policy, as long as nobody had decided.
update own_tools t set is_on = false, policy = null
from mcp_listings l
where l.set_id = t.set_id and l.news ->> t.id = 'new' and t.policy = 'never';
