import { assertMember } from './checks.js';

/** Whose page it is: an engine's frontend, or a gateway's before servers. */
export type Profile = 'engine' | 'gateway';

/**
 * A name that spells another index would make two engines one.
 * @throws {TypeError} on a profile that is none, or bad names.
 */
export function assertProfile(profile: unknown, engineNames: readonly unknown[] | undefined): void {
  if (profile !== undefined)
    assertMember('profile', profile, "'engine' or 'gateway'", profile === 'engine' || profile === 'gateway');
  if (engineNames === undefined) return;
  assertMember('engineNames', engineNames, "none without profile 'gateway'", profile === 'gateway');
  assertMember('engineNames', engineNames, 'an array of names', Array.isArray(engineNames));
  for (const [index, name] of engineNames.entries()) {
    const holds = typeof name === 'string' && name !== '' && (!/^\d+$/.test(name) || name === String(index));
    assertMember(`engineNames[${index}]`, name, 'a name that is no other index', holds);
  }
  assertMember(
    'engineNames',
    engineNames,
    'names that differ',
    new Set(engineNames).size === engineNames.length,
  );
}
