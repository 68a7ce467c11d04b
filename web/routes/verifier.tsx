import { createFileRoute } from "@tanstack/react-router";
import { VerifyPage } from "../features/redeem/printed-codes/verify-page.tsx";

export const Route = createFileRoute("/verifier")({ component: VerifyPage });
