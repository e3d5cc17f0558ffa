/**
 * Settings for property tests with random numbers: `PROPERTY_SEED` repeats a failure (which prints its seed),
 * `PROPERTY_SECONDS` runs longer than the suite does.
 */
export const propertyRun = {
  seed: process.env['PROPERTY_SEED'] ?? String(Date.now()),
  seconds: Number(process.env['PROPERTY_SECONDS'] ?? 0),
}
