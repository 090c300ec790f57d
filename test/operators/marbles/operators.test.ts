import { it } from 'vitest';
import { expectRow } from './marble-row.js';
import { oneSubscription } from './rows-ending.js';
import { severalSubscriptions } from './rows-several.js';

it.each(oneSubscription)('records one ending: $name', expectRow);

it.each(severalSubscriptions)('records one ending a subscription: $name', expectRow);
