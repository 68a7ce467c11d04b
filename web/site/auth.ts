/** Sign-in is woken by the application; this only names the styles of what is prerendered to the build. */
import "./auth.css";
