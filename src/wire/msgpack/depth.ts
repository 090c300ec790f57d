/** How deep arrays and maps may nest, the message's own array included. Upstream's messages need 6; Python stops at 1,000. */
export const MAX_DEPTH = 512;
