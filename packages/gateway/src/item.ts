/** Who counts an item, and as which number. */
interface Counted {
  /** Name of the gateway. */
  gateway: string
  epoch: string
  sequence: number
}

interface Told {
  type: string
  /** Installed product id; of a heartbeat the gateway itself. */
  subject: string
  time: Date
  data: object
}

/** An item of a batch as JSON text: a CloudEvent, wire 12. */
export function itemText({ gateway, epoch, sequence }: Counted, { type, subject, time, data }: Told): string {
  return JSON.stringify({
    specversion: '1.0',
    id: `${epoch}-${sequence}`,
    source: `/gateways/${gateway}`,
    type,
    subject,
    time: time.toISOString(),
    sequence,
    data,
  })
}
