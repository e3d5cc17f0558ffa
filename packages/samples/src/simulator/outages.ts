import type { Fleet } from '../fleet.ts'
import { seededRandom } from '../seeded-random.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const WEEK = 7 * 24 * HOUR

/** A period in which a gateway is offline: from ≤ t < to, in milliseconds since the epoch. */
export interface Outage {
  from: number
  to: number
}

/**
 * Returns a lookup for the outages of one gateway at the ordinary pace: one in ten weeks, for one and a half to
 * fourteen hours. Derived from seed and name alone.
 */
export function ordinaryOutages({ seed, gateway }: { seed: string; gateway: string }): (at: number) => Outage | null {
  let known: { week: number; outage: Outage | null } | null = null
  return (at) => {
    const week = Math.floor(at / WEEK)
    if (known?.week !== week) known = { week, outage: outageIn(`${seed}/outage/${gateway}/${week}`, week) }
    const { outage } = known
    return outage && at >= outage.from && at < outage.to ? outage : null
  }
}

function outageIn(seed: string, week: number): Outage | null {
  const random = seededRandom(seed)
  if (!random.chance(0.1)) return null
  const length = random.between(1.5, 14) * HOUR
  const from = week * WEEK + random.next() * (WEEK - length)
  return { from, to: from + length }
}

/** Slot in which one gateway of the fleet goes offline at the lively pace. */
const SLOT = 2 * HOUR

/**
 * Yields the next outages of one gateway at the lively pace: at speed 1, one gateway of the fleet is offline for 3 to
 * 8 minutes every two hours. All gateways compute the same outages and need not communicate.
 */
export function* livelyOutages(
  { seed, gateway, gateways, speed }: { seed: string; gateway: string; gateways: readonly string[]; speed: number },
  from: number,
): Generator<Outage, never> {
  const slot = SLOT / speed
  for (let number = Math.floor(from / slot); ; number++) {
    const random = seededRandom(`${seed}/line/${number}`)
    if (random.pick(gateways) !== gateway) continue
    const length = (random.between(3, 8) * MINUTE) / speed
    const start = number * slot + random.next() * (slot - length)
    if (start >= from) yield { from: start, to: start + length }
  }
}

/** The gateways and instruments that are lost in the demo from a given time and never return. */
export interface LastingSilences {
  /** Lost gateways by name. */
  gateways: ReadonlyMap<string, number>
  /** Instruments that their gateway cannot reach, by installed product ID. */
  instruments: ReadonlyMap<string, number>
}

/** Positions in the fleet, and how long each has been lost when the history ends. */
const lostInstruments = [
  { place: 7, for: 50 * MINUTE },
  { place: 97, for: 6 * HOUR },
  { place: 187, for: 27 * HOUR },
  { place: 277, for: 4 * 24 * HOUR },
]

/**
 * Returns one lost gateway of a customer other than the first, and a few lost instruments elsewhere, so that a new
 * demo shows every connection status. The history ends with them, and the simulator keeps them.
 */
export function lastingSilences({ customers, sites, gateways, instruments }: Fleet, now: Date): LastingSilences {
  const ownerOf = new Map(sites.map(({ key, input }) => [key, input.customer]))
  const others = gateways.filter(
    ({ key, input }) =>
      ownerOf.get(input.site) !== customers[0]?.key &&
      instruments.filter((instrument) => instrument.input.gateway === key).length > 1,
  )
  const silent = others.at(-1)?.key
  const reached = instruments.filter(({ input }) => input.gateway !== null && input.gateway !== silent)
  return {
    gateways: new Map(silent === undefined ? [] : [[silent, now.getTime() - 200 * MINUTE]]),
    instruments: new Map(
      lostInstruments.flatMap(({ place, for: length }) => {
        const instrument = reached[place]
        return instrument ? [[instrument.key, now.getTime() - length] as const] : []
      }),
    ),
  }
}
