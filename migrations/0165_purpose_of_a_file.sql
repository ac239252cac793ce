-- What a program said a file is for when it sent it over the OpenAI wire; null for what came another way.
alter table documents add column purpose text;
