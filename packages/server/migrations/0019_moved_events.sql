-- The product never gives an event another customer or site, but an operator who merges two customers by SQL does. What
-- holds events outside the database has to follow, or it would show them to the former customer.
DROP TRIGGER mark_event_change ON service_event;
CREATE TRIGGER mark_event_change
  BEFORE UPDATE OF alert_status, claimed_by, reason_closed, full_support, last_action_at, automatic_email_sent_at,
    customer_id, site_id
  ON service_event FOR EACH ROW EXECUTE FUNCTION mark_change();
