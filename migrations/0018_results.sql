-- The result of a call is kept here and nowhere else when it is large. As json it is read as it was written, so that a
-- replay tells the model the very same: jsonb puts names into another order.
alter table tool_executions alter column result type json;
