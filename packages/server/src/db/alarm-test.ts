import { ALARM_TEST_TEMPLATE_ID } from '@benchwatch/contract/vocabulary'
import { sql } from 'kysely'

/**
 * True if event `e` is an alarm chain test that the console raised. An event about a missing test is an ordinary
 * event.
 */
export const isAlarmTest = sql<boolean>`(e.alert_source = 'TEST' AND e.template_id = ${ALARM_TEST_TEMPLATE_ID})`
