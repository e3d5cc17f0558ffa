/** Why a message could not be handed over. */
export class DeliveryError extends Error {
  /** Another try can't help: the address does not exist, the other side refuses the content. */
  readonly isFinal: boolean

  constructor(message: string, { isFinal, cause }: { isFinal: boolean; cause?: unknown }) {
    super(message, { cause })
    this.isFinal = isFinal
  }
}
