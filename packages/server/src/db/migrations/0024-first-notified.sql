-- The log entry of a task's first notified device was called firstTold.
update ota_log set action = 'firstNotified' where action = 'firstTold';
