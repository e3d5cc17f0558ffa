import { ALARM_TEST_TEMPLATE_ID } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'

/** Whether event `e` is a test of the alarm chain, which the console raised itself. That one is missing is an event like others. */
export const isAlarmTest = sql<boolean>`(e.alert_source = 'TEST' AND e.template_id = ${ALARM_TEST_TEMPLATE_ID})`
