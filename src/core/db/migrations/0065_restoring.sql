-- The conditions of triggers are prepared at every statement: one in SQL is parsed anew each time, to be put in the place of its call.
create or replace function is_restoring() returns boolean language plpgsql stable as $$
begin
  return current_setting('merlon.restoring', true) is not distinct from 'on';
end $$;
