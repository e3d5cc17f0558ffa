/**
 * The unchanging values of an event, except its time and texts. Thousands of events share one kind, so a search checks
 * each kind once and then only compares numbers.
 */
export interface EventKind {
  customerId: number
  siteId: number
  /** 0 for an edge issue, and so is componentId. */
  instrumentId: number
  componentId: number
  /** The gateway of an edge issue, else 0. */
  gatewayId: number
  severity: number
  alertType: number
}

/** The kinds met so far, each with a number from 0, as columns. */
export class EventDimensions {
  readonly customers = new GrowingColumn()
  readonly sites = new GrowingColumn()
  readonly instruments = new GrowingColumn()
  readonly components = new GrowingColumn()
  readonly gateways = new GrowingColumn()
  readonly severities = new GrowingColumn()
  readonly alertTypes = new GrowingColumn()
  /** Number of the (instrument, component), from 1; 0 where one of them is missing. */
  readonly pairs = new GrowingColumn()
  /** Number of the (customer, site), from 1. */
  readonly places = new GrowingColumn()
  readonly #numbers = new Map<number, number>()
  readonly #subjects = new Map<number, number>()
  readonly #places = new Map<number, number>()

  get size(): number {
    return this.#numbers.size
  }

  /** The number of a kind; a new one is added. */
  numberOf(kind: EventKind): number {
    const { customerId, siteId, instrumentId, componentId, gatewayId, severity, alertType } = kind
    // Numbers as keys take a third of the memory of texts.
    const subject = numberIn(this.#subjects, instrumentId === 0 ? -gatewayId : instrumentId * MOST_IDS + componentId)
    const place = numberIn(this.#places, customerId * MOST_IDS + siteId)
    const key = ((subject * MOST_PLACES + place) * 4 + severity) * 4 + alertType
    const known = this.#numbers.get(key)
    if (known !== undefined) return known
    const number = this.#numbers.size
    this.#numbers.set(key, number)
    this.customers.push(customerId)
    this.sites.push(siteId)
    this.instruments.push(instrumentId)
    this.components.push(componentId)
    this.gateways.push(gatewayId)
    this.severities.push(severity)
    this.alertTypes.push(alertType)
    this.pairs.push(instrumentId !== 0 && componentId !== 0 ? subject : 0)
    this.places.push(place)
    return number
  }
}

/** Bounds that let several numbers stand in one below 2^53: ids of instruments, components, customers and sites; places. */
const MOST_IDS = 2 ** 26
const MOST_PLACES = 2 ** 22

/** Numbers from 1 in the order of their first use. */
function numberIn(numbers: Map<number, number>, key: number): number {
  const known = numbers.get(key)
  if (known !== undefined) return known
  numbers.set(key, numbers.size + 1)
  return numbers.size
}

/** Numbers in one piece of memory that doubles when it is full. */
export class GrowingColumn {
  values = new Int32Array(1024)
  size = 0
  /** The largest value so far. */
  max = 0

  push(value: number): void {
    if (this.size === this.values.length) {
      const larger = new Int32Array(this.size * 2)
      larger.set(this.values)
      this.values = larger
    }
    this.values[this.size] = value
    this.size += 1
    if (value > this.max) this.max = value
  }
}
