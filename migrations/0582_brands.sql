-- A company's name, colours and mail sender. Null fields are those of the product.
create table company_brands (
  company_id uuid primary key references companies on delete cascade,
  -- Grows with every change, so that browsers recognize what they have.
  version integer not null,
  name text,
  accent text,
  sender_name text,
  sender_address text,
  reply_to text
);

-- A logo, drawn again as PNG. Its id is its public address and cannot be guessed; a new logo has a new one.
create table brand_logos (
  id uuid primary key default gen_random_uuid(),
  company_id uuid not null references company_brands on delete cascade,
  theme text not null check (theme in ('light', 'dark')),
  width integer not null,
  height integer not null,
  content bytea not null,
  unique (company_id, theme)
);
