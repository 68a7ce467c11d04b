import type { SessionClaims } from "../auth/tokens.ts";
import type { Claims, Relay, Rights } from "./relay.ts";

const NOTHING: Rights = {
  reads: false,
  writes: false,
  readsPresence: false,
  writesPresence: false,
};

const SERVICE_CLAIMS = { role: "service_role" } as const;

/** Rights on one channel: of whom, to what, and until when. */
type ChannelRights = {
  /** Claims of the last token that was admitted; null before the first. */
  claims(): Claims | null;
  current(): Rights;
  /** Continues with the claims of a token until it expires; returns the reason of a refusal, or null. */
  admit(token: string | null | undefined): Promise<string | null>;
  /** Asks the database anew what the present claims may do; returns the reason why it is nothing, or null. */
  ask(): Promise<string | null>;
  close(): void;
};

type ChannelRightsOptions = {
  topic: string;
  isPrivate: boolean;
  /** The connection came with the secret key. */
  isService: boolean;
  relay: Pick<Relay, "rights">;
  /** Claims of a user's token that was signed here and still holds; else null. */
  verifySession(token: string): SessionClaims | null;
  now(): Date;
  /** Told before any refusal, so that nothing is sent that may no longer be read. */
  onRights(rights: Rights): void;
  onExpiry(): void;
};

export function createChannelRights(options: ChannelRightsOptions): ChannelRights {
  const { topic, isPrivate, isService, relay, verifySession, now, onRights, onExpiry } = options;
  let claims: Claims | null = null;
  let rights = NOTHING;
  let expiry: NodeJS.Timeout | undefined;
  let isClosed = false;

  const askFor = async (asking: Claims): Promise<string | null> => {
    // A public channel carries changes alone, and the database is asked about each of them.
    if (!isPrivate) return null;
    rights = await relay.rights(topic, asking);
    onRights(rights);
    if (rights.reads || rights.readsPresence) return null;
    return `Unauthorized: You do not have permissions to read from this Channel topic: ${topic}`;
  };

  return {
    claims: () => claims,
    current: () => rights,
    async admit(token) {
      const session = token ? verifySession(token) : null;
      const admitted = session ?? (isService ? SERVICE_CLAIMS : null);
      if (!admitted) return "InvalidJWTToken: The token is missing, expired or not a user's";
      const refusal = await askFor(admitted);
      if (refusal !== null) return refusal;
      claims = admitted;
      clearTimeout(expiry);
      if ("exp" in admitted && !isClosed) {
        expiry = setTimeout(onExpiry, admitted.exp * 1000 - now().getTime());
        expiry.unref();
      }
      return null;
    },
    ask: async () => (claims === null ? null : askFor(claims)),
    close() {
      isClosed = true;
      clearTimeout(expiry);
    },
  };
}
