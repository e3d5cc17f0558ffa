/**
 * What stands in the way of a message.
 * - `unreachable`: the transport as a whole; every other message would fail as well.
 * - `deferred`: the other side wants this one later.
 * - `refused`: another try can't help: the address does not exist, or the content is not wanted.
 */
export type DeliveryFailure = 'unreachable' | 'deferred' | 'refused'

/** Why a message could not be handed over. */
export class DeliveryError extends Error {
  readonly failure: DeliveryFailure
  /** The other side's number for it, such as 550 or 21211; safe to log, unlike its words. */
  readonly answer: number | undefined

  constructor(
    message: string,
    { failure, answer, cause }: { failure: DeliveryFailure; answer?: number; cause?: unknown },
  ) {
    super(message, { cause })
    this.failure = failure
    this.answer = answer
  }
}
