-- Addresses may have a port, brackets and a zone: those that were stored before these were removed.
create or replace function is_in_networks(company uuid, list text, given text) returns boolean language plpgsql stable as $$
declare
  -- Without port and brackets, then without the zone. An IPv4-mapped address is an IPv4 address.
  bare text := split_part(regexp_replace(regexp_replace(given, '^([0-9.]+):[0-9]+$', '\1'), '^\[([^]]*)\](:[0-9]+)?$', '\1'), '%', 1);
  address text := regexp_replace(bare, '^::ffff:(?=\d+\.)', '', 'i');
begin
  return not exists (select from company_networks where company_id = company and restricts = list)
    or exists (select from company_networks where company_id = company and restricts = list and address::inet <<= network);
exception when invalid_text_representation then
  return false;
end
$$;
