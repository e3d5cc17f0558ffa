/**
 * How a property with random numbers is run: `PROPERTY_SEED` repeats the numbers of a failure (which names its seed),
 * `PROPERTY_SECONDS` runs longer than the suite does.
 */
export const propertyRun = {
  seed: process.env['PROPERTY_SEED'] ?? String(Date.now()),
  seconds: Number(process.env['PROPERTY_SECONDS'] ?? 0),
}
