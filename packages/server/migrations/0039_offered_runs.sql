-- Users are offered the newest runs of their customers. Those of a small one are far apart by their ids alone.
CREATE INDEX run_newest ON run (customer_id, id);
