-- Networks to which a company restricts signing in or its administration. A list without networks restricts nothing.
create table company_networks (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references companies on delete cascade,
  restricts text not null check (restricts in ('sign_in', 'administration')),
  network cidr not null,
  note text not null,
  created_at timestamptz not null,
  unique (company_id, restricts, network)
);

create function tell_networks() returns trigger language plpgsql as $$
begin
  perform pg_notify('atrium_networks', '');
  return null;
end
$$;
create trigger tell_networks after insert or update or delete on company_networks for each statement execute function tell_networks();

-- Whether a list of the company allows an address. Text that is no address is outside.
create function is_in_networks(company uuid, list text, given text) returns boolean language plpgsql stable as $$
declare
  -- An IPv4-mapped address is an IPv4 address.
  address text := regexp_replace(given, '^::ffff:(?=\d+\.)', '', 'i');
begin
  return not exists (select from company_networks where company_id = company and restricts = list)
    or exists (select from company_networks where company_id = company and restricts = list and address::inet <<= network);
exception when invalid_text_representation then
  return false;
end
$$;

-- Whether the company has an administrator who can enter, besides one person: a super admin, or one whose sign-in comes from its networks.
create function has_entering_admin(company uuid, besides uuid) returns boolean language sql stable as $$
  select exists (select from company_members m join users u on u.id = m.user_id
    where m.company_id = company and m.role <> 'member' and m.user_id is distinct from besides and u.deactivated_at is null
      and (exists (select from company_members s where s.user_id = m.user_id and s.role = 'super_admin')
        or exists (select from access_tokens t where t.user_id = m.user_id and t.expires_at > clock_timestamp()
          and is_in_networks(company, 'sign_in', t.address) and is_in_networks(company, 'administration', t.address))))
$$;

-- Whether a restricted company would have no administrator who can enter without this active administrator.
create function is_last_entering_admin(company uuid, person uuid) returns boolean language sql stable as $$
  select exists (select from company_networks where company_id = company)
    and exists (select from companies where id = company)
    and exists (select from company_members m join users u on u.id = m.user_id
      where m.company_id = company and m.user_id = person and m.role <> 'member' and u.deactivated_at is null)
    and not has_entering_admin(company, person)
$$;

create function keep_entering_member() returns trigger language plpgsql as $$
begin
  if (tg_op = 'DELETE' or new.role = 'member') and is_last_entering_admin(old.company_id, old.user_id) then
    raise exception 'last administrator' using errcode = 'ATENT', detail = (select name from companies where id = old.company_id);
  end if;
  if tg_op = 'DELETE' then return old; end if;
  return new;
end
$$;
create trigger keep_entering before delete or update of role on company_members for each row
  when (old.role <> 'member') execute function keep_entering_member();

create function keep_entering_user() returns trigger language plpgsql as $$
declare
  company text;
begin
  select c.name into company from company_members m join companies c on c.id = m.company_id
    where m.user_id = old.id and m.role <> 'member' and is_last_entering_admin(c.id, old.id) order by c.created_at, c.id limit 1;
  if company is not null then raise exception 'last administrator' using errcode = 'ATENT', detail = company; end if;
  return new;
end
$$;
create trigger keep_entering before update of deactivated_at on users for each row
  when (old.deactivated_at is null and new.deactivated_at is not null) execute function keep_entering_user();
