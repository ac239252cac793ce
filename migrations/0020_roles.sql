-- Whether a process executes runs and jobs, or only serves the web.
alter table instances add column works boolean not null default true;
