/** The package's version: two copies of one version share their families, two versions on one registry do not. */
export const VERSION = '0.1.0';
