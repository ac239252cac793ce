-- Chat models that run on this machine are installed like embedding models and rerankers.
alter table installed_models drop constraint installed_models_kind_check;
alter table installed_models add constraint installed_models_kind_check
  check (kind in ('embedding', 'reranker', 'chat'));
