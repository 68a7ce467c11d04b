/** Sign-in is woken by the application; this only names the styles of what is painted to the build. */
import "./auth.css";
