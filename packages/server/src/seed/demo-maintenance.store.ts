import { type SeededRandom, seededRandom } from '@benchwatch/samples/seeded-random'
import { sql } from 'kysely'
import { recordAudits } from '../db/audit.ts'
import type { Trx } from '../db/connect.ts'
import { readMaintenances } from '../features/maintenance/maintenance.lookup.ts'
import { addMaintenance } from '../features/maintenance/maintenance.store.ts'
import type { NewMaintenance } from '../features/maintenance/maintenance-plan.ts'
import type { Colleague } from './demo-people.ts'
import type { HistoryInstrument } from './history-fixture.store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

const reasons = [
  'Preventive maintenance',
  'Piston seals and check valves replaced',
  'Operational qualification',
  'Column packing',
  'Building power cut',
  'UV lamp replaced and calibrated',
]

/**
 * One of this many instruments gets each kind of maintenance; those of the first customers come first, so that every
 * state is visible at once.
 */
const EVERY = 9

type Kind = (at: { random: SeededRandom; now: Date; timeZone: string }) => NewMaintenance[]

const single = (start: Date, end: Date | null, reason: string | null): NewMaintenance => ({
  start,
  end,
  reason,
  rrule: null,
  timeZone: null,
})
/** Returns a local time at the site, this many days from today. */
const local = (now: Date, timeZone: string, { days, hour }: { days: number; hour: number }) =>
  new Date(
    Temporal.Instant.fromEpochMilliseconds(now.getTime())
      .toZonedDateTimeISO(timeZone)
      .toPlainDate()
      .add({ days })
      .toZonedDateTime({ timeZone, plainTime: Temporal.PlainTime.from({ hour }) }).epochMilliseconds,
  )

const kinds: readonly Kind[] = [
  // Active since this morning, without an end.
  ({ random, now }) => [single(new Date(now.getTime() - random.integer(1, 5) * HOUR_MS), null, random.pick(reasons))],
  // Planned, some days from now.
  ({ random, now, timeZone }) => {
    const days = random.integer(2, 20)
    return [
      single(local(now, timeZone, { days, hour: 8 }), local(now, timeZone, { days, hour: 16 }), random.pick(reasons)),
    ]
  },
  // Every night from Saturday to Sunday.
  ({ random, now, timeZone }) => {
    const weekday = now.getUTCDay()
    const days = -((weekday + 1) % 7) - 7 * random.integer(4, 8)
    const [start, end] = [local(now, timeZone, { days, hour: 22 }), local(now, timeZone, { days: days + 1, hour: 4 })]
    return [{ start, end, reason: 'Weekly cleaning in place', rrule: 'FREQ=WEEKLY', timeZone }]
  },
  // Active for the rest of the day, and another one planned.
  ({ random, now, timeZone }) => {
    const days = random.integer(10, 40)
    return [
      single(
        new Date(now.getTime() - HOUR_MS),
        new Date(now.getTime() + random.integer(3, 9) * HOUR_MS),
        random.pick(reasons),
      ),
      single(
        local(now, timeZone, { days, hour: 9 }),
        local(now, timeZone, { days: days + 1, hour: 17 }),
        'Service visit',
      ),
    ]
  },
  // Some that are over.
  ({ random, now }) =>
    [random.integer(2, 10), random.integer(30, 60)].map((days) => {
      const start = new Date(now.getTime() - days * DAY_MS)
      return single(start, new Date(start.getTime() + random.integer(3, 30) * HOUR_MS), random.pick(reasons))
    }),
]

/**
 * Writes maintenance of some instruments in each possible state, each set by a service engineer, and marks the events
 * that happened during it.
 */
export async function writeMaintenance(
  trx: Trx,
  {
    instruments,
    colleagues,
    seed,
    now,
  }: { instruments: readonly HistoryInstrument[]; colleagues: readonly Colleague[]; seed: string; now: Date },
): Promise<void> {
  const chosen = instruments.filter((_, index) => index % EVERY === 4)
  for (const [index, { id, timeZone }] of chosen.entries()) {
    const random = seededRandom(`${seed}/maintenance/${id}`)
    for (const input of kinds[index % kinds.length]?.({ random, now, timeZone }) ?? []) {
      await addMaintenance(trx, { instrumentId: id, input, now })
    }
  }
  const planned = await readMaintenances(trx, { instrumentIds: chosen.map(({ id }) => id), now })
  const engineers = colleagues.filter(({ role, customerIds }) => role === 'service' && customerIds === null)
  const random = seededRandom(`${seed}/maintenance`)
  await recordAudits(
    trx,
    [...planned].map(([id, maintenances]) => {
      const { id: engineerId, name } = random.pick(engineers)
      const engineer = { type: 'user', id: engineerId, name } as const
      return {
        subject: { entityType: 'instrument', entityId: String(id), actor: engineer, at: now },
        entries: [
          { action: 'update', property: 'maintenances', oldValue: '[]', newValue: JSON.stringify(maintenances) },
        ],
      }
    }),
  )
  await sql`
    UPDATE service_event e SET during_maintenance = true FROM maintenance_window w
    WHERE e.instrument_id = w.instrument_id AND e.log_generated_at >= w.start_at
      AND (w.end_at IS NULL OR e.log_generated_at < w.end_at)`.execute(trx)
}
